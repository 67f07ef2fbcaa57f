const MAX_LENGTH = 256;

/** Whoever sends no credential is called this. */
const NOBODY = 'anonymous';

/** What the name of a principal must be, for the end of a sentence. */
export const PRINCIPAL_RULE =
  `must be 1 to ${MAX_LENGTH} characters, without control characters and without space at its ends, ` +
  `and not ${NOBODY}: that is who sends no credential`;

/** Whether somebody may be called this: two names that look the same in a log must not be two principals. */
export const isPrincipal = (name: string): boolean =>
  name !== '' && name.length <= MAX_LENGTH && name !== NOBODY && name.trim() === name && !UNPRINTABLE.test(name);

/** Control characters, line and paragraph separators, and halves of characters, which do not survive in UTF-8. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;
