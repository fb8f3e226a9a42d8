/** Puts the text on the clipboard; rejects where the browser does not allow it. */
export const copyText = async (text: string): Promise<void> => {
  // Browsers have the clipboard over https and on the machine itself only; elsewhere a selected text field does it.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.style.cssText = 'position:fixed;opacity:0'
  // Inside an open dialog, where the focus may go; elsewhere it would be pulled back.
  ;(document.querySelector('[role="dialog"]') ?? document.body).append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (!copied) throw new Error('The browser refused to copy')
}
