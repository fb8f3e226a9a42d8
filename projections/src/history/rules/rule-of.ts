import type { EventType } from '@prosa/contracts/events/all-events'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Names } from '../sentences/sentence.ts'
import { accessRules } from './access.ts'
import { contactRules } from './contacts.ts'
import { flowRunRules } from './flow-runs.ts'
import { chatRules, flowRules, identityRules, openingHoursRules, operationsRules, sessionRules } from './others.ts'
import type { Facts, Rule, Rules } from './rule.ts'
import type { withoutRule } from './without-rule.ts'

/** It does not compile without a rule, or its reason to need none. */
type AllRules = { [T in Exclude<EventType, (typeof withoutRule)[number]>]: Rule<T> }

export const rules: AllRules = {
  ...accessRules,
  ...contactRules,
  ...chatRules,
  ...sessionRules,
  ...identityRules,
  ...flowRules,
  ...openingHoursRules,
  ...flowRunRules,
  ...operationsRules,
}

const ruleFor = ({ type }: Stored) => (rules as Rules<EventType>)[type] as Rule<EventType> | undefined

/** Streams that its rule reads whole. */
export const streamsOf = (event: Stored): readonly string[] => ruleFor(event)?.streams?.(event) ?? []

export const needsRecent = (event: Stored): boolean => ruleFor(event)?.fromRecent ?? false

/** Null where no rule decided, or a stream is too long to be read. */
export const ruleOf = (event: Stored, facts: Facts | undefined, names: Names): string | null =>
  (facts && ruleFor(event)?.words(event, facts, names)) || null
