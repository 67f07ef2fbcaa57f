/**
 * What the user has set, and what makes no difference here: a line for each.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
export function notesAbout(env) {
  const { HOST, INDEX_PATH } = env;
  const isElsewhere = HOST && HOST !== '127.0.0.1' && HOST !== 'localhost';
  return [
    ...(isElsewhere ? [`HOST (${HOST}) is not used: what is started here listens on 127.0.0.1`] : []),
    ...(INDEX_PATH ? [`INDEX_PATH (${INDEX_PATH}) is not used: the index is beside the other data`] : []),
  ];
}
