import { call } from './call.ts'
import { refusalOr } from './http.ts'
import { askPurpose, forgetDeclined } from './reading-purpose.ts'
import { useToast } from './toast.tsx'

/**
 * Lets the browser download a file of an administrator's, once it is known why they need it: a refusal would be left to the
 * browser's own words. `tenantId` is whose it is, null of all accounts.
 */
export const useDownload = (): ((address: string, tenantId: string | null) => void) => {
  const toast = useToast()
  const download = async (address: string, tenantId: string | null) => {
    forgetDeclined()
    const query = { tenantId: tenantId ?? undefined }
    const { until } = await call('GET /api/admin/reading-purposes', { query })
    if (until === null && !(await askPurpose(tenantId))) return
    window.location.assign(address)
  }
  return (address, tenantId) => {
    download(address, tenantId).catch((error: unknown) =>
      toast({
        kind: 'error',
        title: 'O arquivo não foi baixado',
        description: refusalOr(error, 'Não foi possível baixar o arquivo. Tente de novo.'),
      }),
    )
  }
}
