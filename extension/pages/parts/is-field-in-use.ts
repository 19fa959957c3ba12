/** Whether the agent is writing a number or a note, and so must keep the focus. */
export const isFieldInUse = (): boolean => {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) return activeElement.value !== '';
  return activeElement?.matches('textarea, select') === true;
};
