/** Focuses a field that must be corrected. It may be in a closed part, which is opened. */
export function focusField(field: HTMLElement | null): void {
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}
