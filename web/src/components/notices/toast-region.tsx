import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ShownToast } from '../../lib/toast.ts'
import './toast-region.css'

const displayMs = 5000
const swipePx = 50

/** By F8, and by screen readers above a dialog. */
const useReachable = (region: RefObject<HTMLElement | null>) => {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key === 'F8') region.current?.focus()
    }
    window.addEventListener('keydown', focus)
    return () => window.removeEventListener('keydown', focus)
  }, [region])

  // An open dialog hides its siblings from screen readers, but its refusals must be announced.
  useEffect(() => {
    const element = region.current
    if (!element) return
    const show = () => element.removeAttribute('aria-hidden')
    show()
    const hiding = new MutationObserver(show)
    hiding.observe(element, { attributeFilter: ['aria-hidden'] })
    return () => hiding.disconnect()
  }, [region])
}

const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <button type="button" className="toast-close" aria-label="Fechar aviso" onClick={onClose}>
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="m5.5 5.5 9 9m0-9-9 9" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  </button>
)

/** F8 moves the focus there; a swipe to the right or Esc dismisses. */
export const ToastRegion = ({ toast, onClose }: { toast: ShownToast | null; onClose: () => void }) => {
  const region = useRef<HTMLElement>(null)
  const startX = useRef<number | null>(null)
  const [draggedPx, setDraggedPx] = useState(0)
  const [held, setHeld] = useState(false)
  const open = toast?.open ?? false
  const number = toast?.number

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast (its number) starts the time again
  useEffect(() => {
    if (!open || held) return
    const timer = setTimeout(onClose, displayMs)
    return () => clearTimeout(timer)
  }, [open, held, number, onClose])

  useReachable(region)

  const drag = (event: PointerEvent) => {
    if (startX.current !== null) setDraggedPx(Math.max(0, event.clientX - startX.current))
  }
  const drop = () => {
    startX.current = null
    setHeld(false)
    setDraggedPx(0)
  }
  const release = () => {
    if (draggedPx >= swipePx) onClose()
    drop()
  }

  return createPortal(
    <section
      ref={region}
      className="toast-region"
      aria-label="Avisos (F8)"
      aria-live={toast?.kind === 'error' ? 'assertive' : 'polite'}
      tabIndex={-1}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toast?.open && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the gesture doubles the button 'Fechar aviso'
        <div
          key={toast.number}
          className={`toast toast-${toast.kind}`}
          style={{ transform: `translateX(${draggedPx}px)` }}
          onPointerDown={(event) => {
            startX.current = event.clientX
            setHeld(true)
          }}
          onPointerMove={drag}
          onPointerUp={release}
          onPointerCancel={drop}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={drop}
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
        >
          <div className="toast-text">
            <p className="toast-title">{toast.title}</p>
            {toast.description && <p>{toast.description}</p>}
          </div>
          {toast.action && (
            <button
              type="button"
              className="toast-action"
              onClick={() => {
                toast.action?.onPress()
                onClose()
              }}
            >
              {toast.action.label}
            </button>
          )}
          <CloseButton onClose={onClose} />
        </div>
      )}
    </section>,
    document.body,
  )
}
