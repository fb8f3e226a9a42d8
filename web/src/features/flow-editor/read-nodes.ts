import {
  type FlowLink,
  type FlowNode,
  type FlowNodeType,
  type FlowNote,
  type FlowOutput,
  menuOutputs,
} from '@prosa/contracts/flows/flow-document'
import { maximumNoteLength } from '@prosa/contracts/flows/flow-limits'
import { requestMethods, requestOutputs } from '@prosa/contracts/flows/request'
import { answerTypes } from '@prosa/contracts/values/answers/answer-type'
import { isNodeType, startNames, testNames } from './node-words.ts'

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
const isText = (value: unknown) => typeof value === 'string'
const isTextOrNull = (value: unknown) => value === null || isText(value)
const isSwitch = (value: unknown) => typeof value === 'boolean'
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)

const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText)

const isStart = (value: unknown): boolean => {
  const start = fieldsOf(value)
  if (!start || !isText(start.kind) || !Object.hasOwn(startNames, String(start.kind))) return false
  if (start.kind === 'keyword') return isTextList(start.words) && ['equals', 'contains'].includes(`${start.match}`)
  return start.kind !== 'label_set' || isTextOrNull(start.labelId)
}

const isTest = (value: unknown): boolean => {
  const test = fieldsOf(value)
  if (!test || !isText(test.kind) || !Object.hasOwn(testNames, String(test.kind))) return false
  switch (test.kind) {
    case 'open':
      return true
    case 'label':
      return isTextOrNull(test.labelId)
    case 'equals':
    case 'contains':
      return isText(test.variable) && (isTextList(test.values) || (test.values === undefined && isText(test.value)))
    case 'matches':
      return isText(test.variable) && isText(test.pattern)
    case 'number':
      return isText(test.variable) && isNumber(test.value) && ['equal', 'above', 'below'].includes(`${test.comparison}`)
    default:
      return isText(test.variable)
  }
}

const isFile = (value: unknown): boolean => {
  if (value === null) return true
  const attached = fieldsOf(value)
  const file = fieldsOf(attached?.file)
  if (!attached || !file || !isText(attached.fileName)) return false
  const isKnown = ['image', 'video', 'audio', 'document'].includes(`${attached.kind}`)
  return isKnown && isText(file.id) && isText(file.mediaType) && isNumber(file.bytes)
}

const isOption = (value: unknown): boolean => {
  const option = fieldsOf(value)
  return (
    option !== null &&
    menuOutputs.some((output) => output === option.output) &&
    isText(option.label) &&
    isTextList(option.words)
  )
}

const isCheck = (value: unknown): boolean => {
  const check = fieldsOf(value)
  return (
    check !== null &&
    answerTypes.some((type) => type === check.type) &&
    isText(check.again) &&
    isNumber(check.attempts) &&
    (check.fieldId === undefined || isTextOrNull(check.fieldId))
  )
}

const isListOf = (value: unknown, texts: readonly string[]): boolean =>
  Array.isArray(value) && value.every((each) => texts.every((name) => isText(fieldsOf(each)?.[name])))

const reasons: { [T in FlowNodeType]: (data: Fields) => boolean } = {
  trigger: ({ trigger, enabled, start }) => isText(trigger) && isSwitch(enabled) && isStart(start),
  message: ({ title, message, enabled, file, typingSeconds }) =>
    isText(title) && isText(message) && isSwitch(enabled) && isFile(file) && isNumber(typingSeconds),
  delay: ({ delay, description }) => isText(delay) && isText(description),
  condition: ({ condition, test }) => isText(condition) && isTest(test),
  question: ({ question, variable, timeoutSeconds, check }) =>
    isText(question) &&
    isText(variable) &&
    (timeoutSeconds === null || isNumber(timeoutSeconds)) &&
    (check === undefined || isCheck(check)),
  menu: ({ text, options, variable, notUnderstood, attempts, timeoutSeconds }) =>
    [text, variable, notUnderstood].every(isText) &&
    isNumber(attempts) &&
    Array.isArray(options) &&
    options.every(isOption) &&
    (timeoutSeconds === null || isNumber(timeoutSeconds)),
  request: ({ title, method, url, headers, body, results }) =>
    [title, url, body].every(isText) &&
    requestMethods.some((each) => each === method) &&
    isListOf(headers, ['name', 'value']) &&
    isListOf(results, ['path', 'variable']),
  calculation: ({ expression, variable, decimals, fieldId }) =>
    isText(expression) && isText(variable) && (decimals === null || isNumber(decimals)) && isTextOrNull(fieldId),
  label: ({ labelId, isLabelled }) => isTextOrNull(labelId) && isSwitch(isLabelled),
  handover: ({ message }) => isText(message),
  finish: ({ message, thanks }) => isText(message) && isText(thanks),
  flow: ({ flowId }) => isTextOrNull(flowId),
}

/**
 * Validates clipboard nodes (untrusted input). Hand-written: the contract's schema stays on the server (decision 0028), which validates
 * again on save.
 */
export const isNode = (value: unknown): value is FlowNode => {
  const node = fieldsOf(value)
  const [position, data] = [fieldsOf(node?.position), fieldsOf(node?.data)]
  if (!node || !position || !data || !isText(node.id) || !isNodeType(`${node.type}`)) return false
  return isNumber(position.x) && isNumber(position.y) && reasons[node.type as FlowNodeType](data)
}

const outputs: readonly FlowOutput[] = [
  null,
  'true',
  'false',
  'answer',
  'timeout',
  'not_understood',
  ...menuOutputs,
  ...requestOutputs,
]

export const isLink = (value: unknown): value is FlowLink => {
  const link = fieldsOf(value)
  return (
    link !== null &&
    isText(link.source) &&
    isText(link.target) &&
    outputs.some((output) => output === link.sourceHandle)
  )
}

export const isNote = (value: unknown): value is FlowNote => {
  const note = fieldsOf(value)
  const position = fieldsOf(note?.position)
  if (!note || !position || typeof note.text !== 'string') return false
  return note.text.length <= maximumNoteLength && isNumber(position.x) && isNumber(position.y)
}
