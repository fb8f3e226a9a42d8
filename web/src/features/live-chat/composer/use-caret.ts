import { type RefObject, useLayoutEffect, useRef } from 'react'

export const useCaret = (
  input: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
) => {
  const wanted = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret is right once the field has the new text
  useLayoutEffect(() => {
    const caret = wanted.current
    wanted.current = null
    if (caret !== null) input.current?.setSelectionRange(caret, caret)
  }, [text, input])

  const replace = (from: number, to: number, words: string) => {
    wanted.current = from + words.length
    setText(text.slice(0, from) + words + text.slice(to))
  }
  return {
    replace,
    /** Replaces the selection, or inserts at the last caret position; the caret follows. */
    insert: (words: string) => {
      const { selectionStart = text.length, selectionEnd = text.length } = input.current ?? {}
      replace(selectionStart, selectionEnd, words)
    },
  }
}
