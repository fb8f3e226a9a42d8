import type { DragEvent } from 'react'

/** Handlers for dropped files; by default the browser would navigate to the file. */
export const fileDrop = (onFile: (file: File) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault()
  },
  onDrop: (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    event.stopPropagation()
    onFile(file)
  },
})
