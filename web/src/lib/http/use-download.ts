import { useToast } from '../toast.ts'
import { call } from './call.ts'
import { downloadExport, type FoundFile } from './data-export.ts'
import { refusalOr } from './http.ts'
import { askPurpose, forgetDeclined } from './reading-purpose.ts'

/** Asks administrators for a purpose first: the browser would show the refusal in its own words. */
export const useDownload = (): ((file: string | FoundFile, tenantId: string | null) => void) => {
  const toast = useToast()
  const download = async (file: string | FoundFile, tenantId: string | null) => {
    forgetDeclined()
    if (typeof file !== 'string') {
      const options = { signal: new AbortController().signal, onProgress: () => undefined }
      return void (await downloadExport({ kind: 'list', file }, options))
    }
    const query = { tenantId: tenantId ?? undefined }
    const { until } = await call('GET /api/admin/reading-purposes', { query })
    if (until === null && !(await askPurpose(tenantId))) return
    window.location.assign(file)
  }
  return (file, tenantId) => {
    download(file, tenantId).catch((error: unknown) =>
      toast({
        kind: 'error',
        title: 'O arquivo não foi baixado',
        description: refusalOr(error, 'Não foi possível baixar o arquivo. Tente de novo.'),
      }),
    )
  }
}
