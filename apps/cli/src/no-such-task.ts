/** A task is looked for in one tenant: it may well be there in another. */
export const noSuchTask = (tenant: string, taskId: string): Error =>
  new Error(`there is no task ${taskId} in the tenant ${tenant}: --tenant names another one`);
