import './form-summary.css'

/** Announced to screen readers when it appears. */
export const FormSummary = ({ sentence }: { sentence: string | null }) => (
  <div role="alert" className="form-summary-place">
    {sentence && <p className="form-summary">{sentence}</p>}
  </div>
)
