import type { KeyboardEvent } from 'react'

interface Options {
  isEmpty: boolean
  /** The quick reply popup handles keys first; true where it used this one. */
  onQuickReplyKey: (event: KeyboardEvent) => boolean
  onSend: () => void
  onEscape: () => void
  /** ↑ in an empty box; with Ctrl it skips editing. */
  onUp: (withCtrl: boolean) => void
}

/** Enter sends, Shift+Enter breaks the line, Ctrl+; opens the emojis. */
export const composerKeys =
  ({ isEmpty, onQuickReplyKey, onSend, onEscape, onUp }: Options) =>
  (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || onQuickReplyKey(event)) return
    if (event.ctrlKey && event.key === ';') {
      event.preventDefault()
      event.currentTarget.closest('form')?.querySelector<HTMLElement>('[data-emoji]')?.click()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      onSend()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      onEscape()
    } else if (event.key === 'ArrowUp' && isEmpty) {
      event.preventDefault()
      onUp(event.ctrlKey)
    }
  }
