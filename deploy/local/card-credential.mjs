/**
 * The line of a header that a caller has to send, as the card of the agent says; undefined where everybody may call it.
 * @param {{ securityRequirements?: readonly any[], securitySchemes?: Readonly<Record<string, any>> }} card
 * @returns {string | undefined}
 */
export function credentialAskedBy({ securityRequirements = [], securitySchemes = {} }) {
  const [first] = securityRequirements.map(({ schemes = {} }) => Object.keys(schemes));
  if (!first || securityRequirements.some(({ schemes = {} }) => Object.keys(schemes).length === 0)) return undefined;
  const key = securitySchemes[first[0]]?.apiKeySecurityScheme;
  return key ? `${key.name}: $API_KEY` : 'Authorization: Bearer $TOKEN';
}
