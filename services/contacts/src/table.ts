/** Connections whose line is up, as far as this service has read the log; can be dropped, and comes back with the next line. */
export const openLineSchema = `
  create table if not exists open_line (
    connection_id uuid primary key,
    owner text not null
  );
  create index if not exists open_line_owner on open_line (owner)`
