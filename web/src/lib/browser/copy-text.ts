export const copyText = async (text: string): Promise<void> => {
  // The clipboard API needs https or localhost; elsewhere a selected field works.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.style.cssText = 'position:fixed;opacity:0'
  // An open dialog takes the focus back from outside elements.
  ;(document.querySelector('[role="dialog"]') ?? document.body).append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (!copied) throw new Error('The browser refused to copy')
}
