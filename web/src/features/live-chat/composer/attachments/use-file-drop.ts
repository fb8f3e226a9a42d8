import { type DragEvent, useEffect, useRef, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')

export const useFileDrop = (isActive: boolean, onFiles: (files: readonly File[]) => void) => {
  const [isOver, setOver] = useState(false)
  // Child elements fire these events too.
  const depth = useRef(0)
  const leave = () => {
    depth.current = 0
    setOver(false)
  }
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (!isActive || !hasFiles(event)) return
      event.preventDefault()
      depth.current += 1
      setOver(true)
    },
    onDragOver: (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    },
    onDragLeave: () => {
      depth.current -= 1
      if (depth.current <= 0) leave()
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Even when refused: the browser would navigate to the file.
      event.preventDefault()
      leave()
      if (isActive) onFiles([...event.dataTransfer.files])
    },
  }
  return { isOver, handlers }
}

const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || document.querySelector('[role="dialog"]') !== null

/** Anywhere except in another field. */
export const useFilePaste = (isActive: boolean, onFiles: (files: readonly File[]) => void): void => {
  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  useEffect(() => {
    if (!isActive) return
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      // Spreadsheets add a picture of the copied table: the text is meant.
      const hasText = event.clipboardData?.types.includes('text/plain') ?? false
      if (files.length === 0 || hasText || isElsewhere(event.target)) return
      event.preventDefault()
      latest.current(files)
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [isActive])
}
