/** Whether the agent is writing a number or a note, or is asked a question, and so must keep the focus. */
export const isFocusInUse = (): boolean => {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) return activeElement.value !== '';
  return activeElement?.matches('textarea, select, [role="alertdialog"] *') === true;
};
