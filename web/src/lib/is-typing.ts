/** True where keys are text, or belong to a field: they are no shortcuts there, apart from those with Ctrl. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null
