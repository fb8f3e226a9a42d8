/** Errors render a few frames after the reply. */
const maxFrames = 30

export const focusFirstRefused = (form: HTMLFormElement, frames = maxFrames): void => {
  requestAnimationFrame(() => {
    const refused = form.querySelector<HTMLInputElement>('[aria-invalid="true"]')
    if (refused) refused.focus()
    else if (frames > 0) focusFirstRefused(form, frames - 1)
  })
}
