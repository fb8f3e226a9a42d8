import './form-summary.css'

/** What kept a form from going through, in one place above its button. Announced when it appears. */
export const FormSummary = ({ sentence }: { sentence: string | null }) => (
  <div role="alert" className="form-summary-place">
    {sentence && <p className="form-summary">{sentence}</p>}
  </div>
)
