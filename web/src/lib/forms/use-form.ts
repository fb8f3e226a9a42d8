import type { UseMutationResult } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, type SubmitEvent, useState } from 'react'
import { ApiProblem, sentenceOf } from '../http/http.ts'
import { focusFirstRefused } from './focus-first-refused.ts'

type Errors<Values> = { [Field in keyof Values]?: string | undefined }

interface Options<Values, Input, Reply> {
  command: Pick<UseMutationResult<Reply, Error, Input>, 'mutate' | 'error' | 'isPending' | 'reset'>
  toInput: (values: Values) => Input
  /** Errors by field; shown from the first attempt on. */
  check?: ((values: Values) => Errors<Values>) | undefined
  /** Where a refusal of no field stands. */
  fieldOf?: (problem: ApiProblem) => (keyof Values & string) | undefined
  /** The summary where the server gives no sentence. */
  failed?: string
  onRefused?: (errors: Errors<Values>) => void
  onDone?: (reply: Reply) => void
}

/** Of a text field. */
export interface BoundField {
  name: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

export interface Form {
  submit: (event: SubmitEvent<HTMLFormElement>) => void
  isPending: boolean
  isChanged: boolean
}

/** Checks, sends, and puts the focus into the first field that is refused. What the server refuses stays at a field until it is edited. */
export const useForm = <Values extends object, Input, Reply>(
  [values, setValues]: readonly [Values, Dispatch<SetStateAction<Values>>],
  { command, toInput, check, fieldOf, failed, onRefused, onDone }: Options<Values, Input, Reply>,
) => {
  type Field = keyof Values & string
  const { error, isPending } = command
  const [first] = useState(values)
  const [tried, setTried] = useState(false)
  const [edited, setEdited] = useState<readonly string[]>([])
  const problem = error instanceof ApiProblem ? error : null
  const missing: Errors<Values> = (tried && check?.(values)) || {}
  const refusals = Object.values(missing).filter(Boolean).length

  const set = (change: Partial<Values>) => {
    setValues((before) => ({ ...before, ...change }))
    setEdited((before) => [...new Set([...before, ...Object.keys(change)])])
  }
  const errorOf = (field: Field): string | undefined => {
    const refused = problem?.errorOf(field) ?? (problem && fieldOf?.(problem) === field ? problem.title : undefined)
    return missing[field] ?? (edited.includes(field) ? undefined : refused)
  }
  const bind = <Name extends Field>(name: Name) => ({
    name,
    value: values[name],
    onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
    error: errorOf(name),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    setTried(true)
    setEdited([])
    const errors = check?.(values) ?? {}
    if (Object.values(errors).some(Boolean)) {
      command.reset()
      onRefused?.(errors)
      return focusFirstRefused(form)
    }
    command.mutate(toInput(values), {
      onSuccess: (reply) => {
        setTried(false)
        onDone?.(reply)
      },
      onError: () => focusFirstRefused(form),
    })
  }
  return {
    values,
    set,
    setValues,
    bind,
    /** Since the last attempt. */
    isEdited: (field: Field) => edited.includes(field),
    errorOf,
    submit,
    isPending,
    isChanged: JSON.stringify(values) !== JSON.stringify(first),
    /** How many fields the check refuses. */
    refusals,
    problem,
    summary: error && failed !== undefined ? sentenceOf(error, failed) : null,
  }
}
