/** What the server refused is drawn a few frames after its answer is there. */
const maxFrames = 30

/** Puts the cursor into the first field of the form that is marked as refused, as soon as one is. */
export const focusFirstRefused = (form: HTMLFormElement, frames = maxFrames): void => {
  requestAnimationFrame(() => {
    const refused = form.querySelector<HTMLInputElement>('[aria-invalid="true"]')
    if (refused) refused.focus()
    else if (frames > 0) focusFirstRefused(form, frames - 1)
  })
}
