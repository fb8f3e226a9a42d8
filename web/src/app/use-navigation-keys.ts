import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { isTyping } from '../lib/browser/is-typing.ts'
import { paths } from '../lib/paths.ts'

const pathByKey: Record<string, string> = {
  c: paths.home,
  l: paths.liveChat,
  f: paths.conversationFlows,
  w: paths.whatsappSessions,
  s: paths.settings,
  a: paths.help,
}
const sequenceMs = 1500

/** Not while typing or under a dialog. */
export const useNavigationKeys = (): void => {
  const navigate = useNavigate()
  useEffect(() => {
    let startedMs = Number.NEGATIVE_INFINITY
    const follow = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role="dialog"]')) return
      const key = event.key.toLowerCase()
      const path = event.timeStamp - startedMs < sequenceMs ? pathByKey[key] : undefined
      startedMs = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (!path) return
      event.preventDefault()
      event.stopPropagation()
      navigate(path)
    }
    // Capture phase: the second key must not act on the current screen.
    window.addEventListener('keydown', follow, true)
    return () => window.removeEventListener('keydown', follow, true)
  }, [navigate])
}
