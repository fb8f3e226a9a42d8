import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { filterIn, filterParameters } from './list/list-filter.ts'

const parameter = 'contato'
const messageParameter = 'mensagem'
export type Panel = 'details' | 'search'
const panelParameters: Record<Panel, string> = { details: 'detalhes', search: 'busca' }

/** State of a history entry: the kind of entry before it. */
interface StepState {
  cameFromList: boolean
  cameFromConversation: boolean
  /** How often a message was requested. */
  jump: number
}

interface Step extends StepState {
  selectedId: string | null
  messageId: string | null
  panel: Panel | null
}

const list: Step = {
  selectedId: null,
  messageId: null,
  panel: null,
  cameFromList: false,
  cameFromConversation: false,
  jump: 0,
}

export const chatInView = (search: string): string | null => new URLSearchParams(search).get(parameter)

export const chatAddress = (contactId: string): string =>
  `${paths.liveChat}?${new URLSearchParams({ [parameter]: contactId })}`

const panelIn = (parameters: URLSearchParams): Panel | null =>
  (['details', 'search'] as const).find((panel) => parameters.has(panelParameters[panel])) ?? null

const stepOf = ({ search, state }: Location): Step => {
  const parameters = new URLSearchParams(search)
  return {
    ...list,
    ...(state as StepState | null),
    selectedId: parameters.get(parameter),
    messageId: parameters.get(messageParameter),
    panel: panelIn(parameters),
  }
}

const parametersOf = ({ selectedId, messageId, panel }: Step) => ({
  ...(selectedId !== null && { [parameter]: selectedId }),
  ...(messageId !== null && { [messageParameter]: messageId }),
  ...(panel !== null && { [panelParameters[panel]]: '' }),
})

/**
 * On slow computers the router renders a new address late. Keys pressed meanwhile are meant for what was chosen, which therefore applies at
 * once.
 */
const useStep = () => {
  const location = useLocation()
  const [searchParams, setSearchParams] = useSearchParams()
  // The list's filters stay.
  const { label, line } = filterIn(searchParams)
  const [chosen, choose] = useState<{ at: string; step: Step } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever comes back to this address later chose nothing there
  useEffect(() => choose(null), [location.key])
  // A fast back may return to the address from before the choice.
  useEffect(() => {
    const forget = () => choose(null)
    window.addEventListener('popstate', forget)
    return () => window.removeEventListener('popstate', forget)
  }, [])

  const go = useCallback(
    (step: Step, { replace }: { replace: boolean }) => {
      choose({ at: location.key, step })
      const { cameFromList, cameFromConversation, jump } = step
      setSearchParams(
        { ...parametersOf(step), ...filterParameters({ label, line }) },
        {
          replace,
          state: { cameFromList, cameFromConversation, jump } satisfies StepState,
        },
      )
    },
    [location.key, label, line, setSearchParams],
  )
  const inAddress = useMemo(() => stepOf(location), [location])
  return { step: chosen?.at === location.key ? chosen.step : inAddress, go, key: location.key }
}

/** Once for each step, however often it is pressed. */
const useGoBack = (key: string) => {
  const navigate = useNavigate()
  const isGoing = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step may be left once
  useEffect(() => {
    isGoing.current = false
  }, [key])
  return useCallback(
    (steps: number) => {
      if (isGoing.current) return
      isGoing.current = true
      void navigate(-steps)
    },
    [navigate],
  )
}

/**
 * Stored in the address. Opening from the list pushes a history entry and switching replaces it, so that the browser's back leads to the
 * list; a covering panel pushes one more.
 */
export const useSelection = () => {
  const { step, go, key } = useStep()
  const goBack = useGoBack(key)
  const { selectedId, messageId, panel, jump } = step

  const select = useCallback(
    (contactId: string, atMessageId: string | null = null) => {
      if (contactId === step.selectedId && step.messageId === null && atMessageId === null) return
      const cameFromList = step.selectedId === null || step.cameFromList
      // A search belongs to one conversation.
      const panel = step.panel === 'search' && contactId !== step.selectedId ? null : step.panel
      go(
        { ...step, selectedId: contactId, messageId: atMessageId, panel, cameFromList, jump: step.jump + 1 },
        { replace: step.selectedId !== null },
      )
    },
    [go, step],
  )

  /** After a merge. */
  const follow = useCallback(
    (contactId: string) => go({ ...step, selectedId: contactId }, { replace: true }),
    [go, step],
  )

  const leave = useCallback(() => {
    if (step.selectedId === null) return
    if (step.cameFromList) goBack(step.cameFromConversation ? 2 : 1)
    else go(list, { replace: true })
  }, [go, goBack, step])

  /** `covering`: the panel overlays the conversation, and the browser's back closes it. */
  const showPanel = useCallback(
    (panel: Panel | null, { covering = false } = {}) => {
      if (panel === step.panel) return
      if (panel === null && step.cameFromConversation) return goBack(1)
      const adds = step.panel === null && covering
      go(
        { ...step, panel, cameFromConversation: adds || (panel !== null && step.cameFromConversation) },
        { replace: !adds },
      )
    },
    [go, goBack, step],
  )

  // The panel's history entry must be gone before the conversation goes to the message.
  const messageBehind = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is for the step that comes next
  useEffect(() => {
    const wanted = messageBehind.current
    messageBehind.current = null
    if (wanted !== null && step.selectedId !== null)
      go({ ...step, messageId: wanted, jump: step.jump + 1 }, { replace: true })
  }, [key])

  /** Closes a covering panel. */
  const showMessage = useCallback(
    (atMessageId: string, { covering = false } = {}) => {
      if (step.selectedId === null) return
      if (!covering) return select(step.selectedId, atMessageId)
      if (!step.cameFromConversation)
        return go({ ...step, panel: null, messageId: atMessageId, jump: step.jump + 1 }, { replace: true })
      messageBehind.current = atMessageId
      goBack(1)
    },
    [go, goBack, select, step],
  )

  return { selectedId, messageId, jump, panel, select, follow, leave, showPanel, showMessage }
}

export type Select = ReturnType<typeof useSelection>['select']
