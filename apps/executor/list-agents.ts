import { parseConfig } from '@tidemark/platform';
import { loadAgents } from './src/load-agents';
import { settings } from './src/settings';

/**
 * Says which agents an executor with this environment hosts: the last line is their ids, as a JSON array. Their modules may
 * have printed before, and may hold the process open.
 */
async function list(): Promise<void> {
  const agents = await loadAgents(parseConfig(settings, process.env));
  const ids = JSON.stringify(agents.map(({ profile }) => profile.id));
  process.stdout.write(`\n${ids}\n`, () => process.exit(0));
}

void list().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`\n${message.replaceAll(/\s*\n\s*/g, ' ')}\n`, () => process.exit(1));
});
