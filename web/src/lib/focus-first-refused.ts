/** After the next paint, puts the cursor into the first field of the form that is marked as refused. */
export const focusFirstRefused = (form: HTMLFormElement): void => {
  requestAnimationFrame(() => form.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus())
}
