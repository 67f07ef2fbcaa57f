import { launch } from './launch.mjs';
import { callersFolder, DATA_DIR } from './paths.mjs';

await launch(process.argv.slice(2), { folder: callersFolder(), dataDir: DATA_DIR });
