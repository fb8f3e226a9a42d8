import { refusalOr } from '../../lib/http/http.ts'
import { useCommand } from '../../lib/http/use-command.ts'

/** Everything of the panel is read again. */
export const useAdminCommand = <Input>(run: (input: Input) => Promise<unknown>, done: string, failed: string) =>
  useCommand({ run, done, failed: (error) => refusalOr(error, failed), rereads: [['admin']] })
