import { z } from 'zod'

/** Only errors prevent publishing. */
export const flowProblem = z.object({
  kind: z.enum([
    'no_trigger',
    'second_trigger',
    'trigger_incomplete',
    'trigger_leads_nowhere',
    'link_into_trigger',
    'unknown_link',
    'empty_message',
    'message_too_long',
    'bad_delay',
    'condition_incomplete',
    'bad_pattern',
    'empty_question',
    'check_incomplete',
    'menu_incomplete',
    'menu_ambiguous',
    'option_leads_nowhere',
    'request_incomplete',
    'no_secret',
    'calculation_incomplete',
    'failure_leads_nowhere',
    'bad_variable',
    'unknown_variable',
    'no_label',
    'no_flow',
    'no_field',
    'no_connection',
    'no_file',
    'endless_circle',
    'unanswered_circle',
    'too_many_unanswered',
    'gap',
    'invented_fact',
    'says_closed',
    'empty_variable',
    'dead_end',
    'unreachable',
  ]),
  severity: z.enum(['error', 'warning']),
  /** Null: the whole flow. */
  nodeId: z.string().nullable(),
  /** If several; the first is `nodeId`. */
  nodeIds: z.array(z.string()).optional(),
  sentence: z.string(),
})

export type FlowProblem = z.infer<typeof flowProblem>
