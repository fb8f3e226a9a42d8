import { z } from 'zod'

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
  /** By another run. */
  'waits_for_person',
])
