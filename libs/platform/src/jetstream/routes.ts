/** What is registered for the first pattern that matches a subject. There are few patterns: no cache is needed. */
export function findRoute<T>(routes: ReadonlyMap<string, T>, subject: string): T | undefined {
  for (const [pattern, route] of routes) if (subjectMatches(pattern, subject)) return route;
  return undefined;
}

/** Whether a pattern of NATS matches a subject: `*` stands for one token, a last `>` for one or more. */
export function subjectMatches(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const tokens = subject.split('.');
  const isOpen = wanted.at(-1) === '>';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? tokens.length <= fixed.length : tokens.length !== fixed.length) return false;
  return fixed.every((token, index) => token === '*' || token === tokens[index]);
}
