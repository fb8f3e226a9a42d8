import type { FlowNodeOf, MenuOutput } from './flow-document.ts'
import { menuOutputs } from './flow-document.ts'

type Menu = FlowNodeOf<'menu'>['data']

/** As the contact gets it: its options numbered, since WhatsApp shows no buttons of unofficial clients (docs/decisions/0090). */
export const menuText = ({ text, options }: Pick<Menu, 'text' | 'options'>): string =>
  [text.trim(), '', ...options.map(({ label }, at) => `${at + 1} - ${label.trim()}`)].join('\n').trim()

/** Undefined if all are taken. */
export const freeMenuOutput = (options: Menu['options']): MenuOutput | undefined =>
  menuOutputs.find((output) => options.every((option) => option.output !== output))
