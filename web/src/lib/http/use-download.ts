import { useToast } from '../toast.ts'
import { call } from './call.ts'
import { refusalOr } from './http.ts'
import { askPurpose, forgetDeclined } from './reading-purpose.ts'

/** Asks administrators for a purpose first: the browser would show the refusal in its own words. */
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
