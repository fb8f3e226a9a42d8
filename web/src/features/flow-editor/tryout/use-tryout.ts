import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowTestInput } from '@prosa/contracts/http/flow-runs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { requestSampleKey } from '../panel/request/api.ts'
import { useFlowNames } from '../use-flow-names.ts'
import { flowTestQuery } from './api.ts'
import { tryoutItems } from './tryout-items.ts'
import { useSettled, useSettledDocument } from './use-settled.ts'

/** Limit of the server. */
const maximumInputs = 500

export interface Scene {
  contact: { name: string; isNew: boolean; labelIds: string[] }
  /** Null: according to the current opening hours. */
  isOpen: boolean | null
}

const firstScene: Scene = { contact: { name: 'Ana Souza', isNew: true, labelIds: [] }, isOpen: null }

const isStartedByLabel = ({ nodes }: FlowDocument) =>
  nodes.some((node) => node.type === 'trigger' && node.data.start.kind === 'label_set')

const isSame = (one: FlowTestInput, other: FlowTestInput | undefined) => JSON.stringify(one) === JSON.stringify(other)

export const useTryout = (flowId: string, draft: FlowDocument) => {
  const { document, number } = useSettledDocument(draft)
  const [inputs, setInputs] = useState<readonly FlowTestInput[]>([])
  const [scene, setScene] = useState(firstScene)
  /** Number of the document at the contact's last action. */
  const [numberThen, setNumberThen] = useState(number)
  const settledScene = useSettled(scene)
  const names = useFlowNames()
  const queries = useQueryClient()

  const problems = useMemo(() => checkFlow(document).filter(({ severity }) => severity === 'error'), [document])
  const hasBegun = inputs.length > 0 || isStartedByLabel(document)
  const { data, error, isFetching, refetch } = useQuery({
    ...flowTestQuery({ flowId, documentNumber: number, body: { document, inputs: [...inputs], ...settledScene } }),
    enabled: hasBegun && problems.length === 0,
  })
  /** The result may belong to the conversation before 'Recomeçar'. */
  const isOfThis = hasBegun && data?.inputs.every((input, index) => isSame(input, inputs[index])) === true
  const result = isOfThis ? data.result : undefined
  const playedInputs = isOfThis ? data.inputs.length : 0
  const items = useMemo(
    () => tryoutItems(inputs, result && { inputCount: playedInputs, result }, { document, names, now: Date.now() }),
    [inputs, result, playedInputs, document, names],
  )

  const add = (input: FlowTestInput) => {
    setNumberThen(number)
    setInputs([...inputs, input])
  }
  return {
    items,
    problems,
    current: problems.length > 0 ? null : (result?.standing ?? null),
    variables: result?.variables ?? {},
    isWaiting: isFetching && inputs.length > playedInputs,
    error,
    retry: () => void refetch(),
    isFull: inputs.length >= maximumInputs,
    inputCount: inputs.length,
    /** The inputs ran again because the draft changed. */
    isReplayed: inputs.length > 0 && number !== numberThen,
    scene,
    setScene,
    write: (text: string) => add({ kind: 'message', text }),
    sendFile: () => add({ kind: 'file' }),
    skipTime: () => add({ kind: 'skip_time' }),
    /** With what the request gave when it was sent by hand, or else the names of the variables. */
    reply: (output: 'success' | 'failure') => {
      const node = document.nodes.find(({ id }) => id === result?.standing?.nodeId)
      const results = node?.type === 'request' ? node.data.results : []
      const sample = queries.getQueryData<Record<string, string>>(requestSampleKey(node?.id ?? ''))
      const values = Object.fromEntries(
        results.map(({ variable }) => [variable, sample?.[variable] ?? `(${variable})`]),
      )
      add({ kind: 'reply', output, values: output === 'success' ? values : {} })
    },
    restart: () => {
      setNumberThen(number)
      setInputs([])
    },
  }
}
