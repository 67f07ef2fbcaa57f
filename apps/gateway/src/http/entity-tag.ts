/** Whether `If-None-Match` names this entity tag. RFC 9110, section 13.1.2: the comparison is weak. */
export const isKnown = (etag: string, known = ''): boolean =>
  known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
