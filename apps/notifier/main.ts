import { parseConfig, run } from '@tidemark/platform';
import { settings } from './src/settings';
import { startNotifier } from './src/start-notifier';

void run('notifier', () => startNotifier(parseConfig(settings, process.env)));
