import { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import type { Method } from '@tidemark/protocol';
import { CALLS } from './calls';
import { OperationsHandler } from './operations-handler';

const first = { taskId: 't', id: 'a', url: 'https://a.test', token: 'x', authentication: { scheme: 'Bearer' } };
const second = { taskId: 't', id: 'b', url: 'https://b.test' };

function asked(configs: readonly object[]) {
  const calls: [Method, unknown][] = [];
  const handler = new OperationsHandler((method, params) => {
    calls.push([method, params]);
    return Promise.resolve({ result: method.startsWith('List') ? { configs } : configs[0] });
  });
  return { calls, translation: new LegacyRestTransportHandler(handler) };
}

describe('push configs of 0.3', () => {
  const inLegacy = {
    taskId: 't',
    pushNotificationConfig: { id: 'a', url: 'https://a.test', token: 'x', authentication: { schemes: ['Bearer'] } },
  };

  it('are set', async () => {
    const { calls, translation } = asked([first]);
    expect(await CALLS['tasks/pushNotificationConfig/set'](translation, inLegacy)).toEqual(inLegacy);
    expect(calls).toEqual([['CreateTaskPushNotificationConfig', first]]);
  });

  it('are got by their id', async () => {
    const { calls, translation } = asked([first]);
    const params = { id: 't', pushNotificationConfigId: 'a' };
    expect(await CALLS['tasks/pushNotificationConfig/get'](translation, params)).toEqual(inLegacy);
    expect(calls).toEqual([['GetTaskPushNotificationConfig', { taskId: 't', id: 'a' }]]);
  });

  it('without an id are the first of the task', async () => {
    const { translation } = asked([first, second]);
    expect(await CALLS['tasks/pushNotificationConfig/get'](translation, { id: 't' })).toEqual(inLegacy);
    const none = CALLS['tasks/pushNotificationConfig/get'](asked([]).translation, { id: 't' });
    await expect(none).rejects.toMatchObject({ code: 'TASK_NOT_FOUND', metadata: { taskId: 't' } });
  });

  it('are listed as an array', async () => {
    const { translation } = asked([first, second]);
    const list = await CALLS['tasks/pushNotificationConfig/list'](translation, { id: 't' });
    expect(list).toEqual([inLegacy, { taskId: 't', pushNotificationConfig: { id: 'b', url: 'https://b.test' } }]);
  });

  it('are deleted without an answer', async () => {
    const { calls, translation } = asked([]);
    const params = { id: 't', pushNotificationConfigId: 'a' };
    expect(await CALLS['tasks/pushNotificationConfig/delete'](translation, params)).toBeNull();
    expect(calls).toEqual([['DeleteTaskPushNotificationConfig', { taskId: 't', id: 'a' }]]);
  });
});
