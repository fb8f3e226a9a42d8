import { z } from 'zod'

/** Why a run of a flow is over. */
export const flowEndReason = z.enum([
  'completed',
  'handed_over',
  'went_on',
  'accepted',
  'silence',
  'flow_deleted',
  'contact_merged',
  'contact_erased',
  'connection_removed',
  'too_many_steps',
  'stopped',
  'possible_robot',
  'unanswered',
  /** Another run handed the contact over to a person. */
  'waits_for_person',
])
