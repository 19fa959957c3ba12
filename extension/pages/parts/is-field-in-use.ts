/** True while the agent writes a number or a note, who is to go on writing. */
export const isFieldInUse = (): boolean => {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) return activeElement.value !== '';
  return activeElement?.matches('textarea, select') === true;
};
