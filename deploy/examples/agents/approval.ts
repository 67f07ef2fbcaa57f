import { artifact, authRequired, completed, rejected, type TaskAgent, text } from '@tidemark/agent';

/** Does what is asked only once somebody has approved it, out of band: `tidemark authorize <task>`. */
export const agent: TaskAgent = {
  profile: {
    id: 'approval',
    name: 'Approval',
    description: 'Places an order once somebody who may has approved it',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'order', name: 'Order', description: 'Orders what the message says', tags: ['approval'] }],
  },

  async *run({ authorization, task }) {
    if (!authorization) {
      yield authRequired('An order has to be approved: run `tidemark authorize` with the id of this task');
      return;
    }
    if (authorization.decision === 'denied') {
      yield rejected(`${authorization.by} does not approve of it`);
      return;
    }
    const [order] = task.history;
    yield artifact({ name: 'order', parts: [...(order?.parts ?? []), text(`approved by ${authorization.by}`)] });
    yield completed();
  },
};
