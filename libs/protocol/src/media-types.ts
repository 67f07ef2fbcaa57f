import type { Part } from '@tidemark/domain';
import type { AgentProfile } from './agent-profile';
import { ProtocolError } from './errors';

/** What of a profile says which parts its agent takes. */
export type InputModes = Pick<AgentProfile, 'defaultInputModes'> & {
  readonly skills: readonly Pick<AgentProfile['skills'][number], 'inputModes'>[];
};

/** True where the agent, by its card or one of its skills, takes every part. */
export const acceptsParts = (profile: InputModes, parts: readonly Part[]): boolean =>
  firstRefused(profile, parts) === undefined;

/** Throws CONTENT_TYPE_NOT_SUPPORTED (A2A 1.0.1, section 3.3.2) that names the part and what the agent takes. */
export function assertAcceptsParts(profile: InputModes, parts: readonly Part[]): void {
  const refused = firstRefused(profile, parts);
  if (!refused) return;
  const accepted = inputModes(profile).join(', ');
  const field = `message.parts[${refused.index}].mediaType`;
  throw new ProtocolError('CONTENT_TYPE_NOT_SUPPORTED', {
    metadata: { mediaType: refused.mediaType, supportedMediaTypes: accepted },
    violations: [{ field, description: `must be one of ${accepted}` }],
  });
}

function firstRefused(profile: InputModes, parts: readonly Part[]): { index: number; mediaType: string } | undefined {
  const modes = inputModes(profile).map(essence);
  for (const [index, part] of parts.entries()) {
    const mediaType = mediaTypeOf(part);
    if (mediaType && !modes.some((mode) => matches(mode, essence(mediaType)))) return { index, mediaType };
  }
  return undefined;
}

const inputModes = ({ defaultInputModes, skills }: InputModes): string[] => [
  ...new Set([...defaultInputModes, ...skills.flatMap(({ inputModes = [] }) => inputModes)]),
];

/** Undefined for a file that does not say what it is: only the agent can find out. */
function mediaTypeOf(part: Part): string | undefined {
  if (part.mediaType) return part.mediaType;
  if ('text' in part) return 'text/plain';
  return 'data' in part ? 'application/json' : undefined;
}

/** A media type without its parameters. */
const essence = (mediaType: string): string => (mediaType.split(';')[0] ?? '').trim().toLowerCase();

function matches(mode: string, mediaType: string): boolean {
  if (mode === '*/*' || mode === mediaType) return true;
  return mode.endsWith('/*') && mediaType.startsWith(mode.slice(0, -1));
}
