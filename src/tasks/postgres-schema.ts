/** For all apps. Owners and keys are hashes; the head is JSON that only we read. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS everywire_tasks (
  app text NOT NULL,
  id text NOT NULL,
  version integer NOT NULL,
  owner text NOT NULL,
  key text,
  status text NOT NULL,
  is_dead boolean NOT NULL,
  created_at bigint NOT NULL,
  looked_at bigint NOT NULL,
  expires_at bigint,
  head text NOT NULL,
  call text,
  questions text,
  answers text,
  outcome text,
  PRIMARY KEY (app, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS everywire_tasks_key ON everywire_tasks (app, key) WHERE key IS NOT NULL;
CREATE INDEX IF NOT EXISTS everywire_tasks_created ON everywire_tasks (app, created_at);
CREATE INDEX IF NOT EXISTS everywire_tasks_owner ON everywire_tasks (app, owner, created_at);
CREATE INDEX IF NOT EXISTS everywire_tasks_status ON everywire_tasks (app, status, created_at);
CREATE INDEX IF NOT EXISTS everywire_tasks_dead ON everywire_tasks (app, created_at) WHERE is_dead;
CREATE INDEX IF NOT EXISTS everywire_tasks_looked ON everywire_tasks (app, looked_at) WHERE status = 'working';
CREATE INDEX IF NOT EXISTS everywire_tasks_expires ON everywire_tasks (expires_at) WHERE expires_at IS NOT NULL;
`;

/** By the clock of the server, which is the same for all processes. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)';
const LIVES = `(expires_at IS NULL OR expires_at > ${NOW})`;

/** Returns the id if it was written. Does nothing if there is a record with this id or key, even one that has expired. */
export const CREATE = `
INSERT INTO everywire_tasks
  (app, id, version, owner, key, status, is_dead, created_at, looked_at, expires_at, head, call, questions, answers, outcome)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${NOW} + $10::bigint, $11, $12, $13, $14, $15)
ON CONFLICT DO NOTHING
RETURNING id`;

const COLUMNS = 'head, call, questions, answers, outcome';

export const FIND = `SELECT ${COLUMNS} FROM everywire_tasks WHERE app = $1 AND (id = $2 OR key = $3) AND ${LIVES}`;

/** Makes room for one with the same id or key. */
export const DELETE_EXPIRED = `DELETE FROM everywire_tasks WHERE app = $1 AND (id = $2 OR key = $3) AND NOT ${LIVES}`;

export const READ = `SELECT ${COLUMNS} FROM everywire_tasks WHERE app = $1 AND id = $2 AND ${LIVES}`;

/** A notification is sent when the statement is committed, and not otherwise. */
export const REPLACE = `
WITH replaced AS (
  UPDATE everywire_tasks SET version = $4, status = $5, is_dead = $6, looked_at = $7, head = $8,
    call = coalesce($9, call), questions = coalesce($10, questions), answers = coalesce($11, answers),
    outcome = coalesce($12, outcome)
  WHERE app = $2 AND id = $3 AND version = $4 - 1 AND ${LIVES}
  RETURNING id
)
SELECT pg_notify($1, id) FROM replaced`;

export const list = (conditions: readonly string[]): string => `
SELECT head FROM everywire_tasks WHERE ${['app = $1', LIVES, ...conditions].join(' AND ')}
ORDER BY created_at DESC LIMIT $2`;

/** Rows that another process is looking at are left to it. */
export const STALE = `
WITH picked AS MATERIALIZED (
  SELECT id FROM everywire_tasks WHERE app = $1 AND status = 'working' AND looked_at < $2 AND ${LIVES}
  ORDER BY looked_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE everywire_tasks SET looked_at = $4 FROM picked
WHERE everywire_tasks.app = $1 AND everywire_tasks.id = picked.id
RETURNING head`;

export const STATS = `
SELECT status, count(*)::integer AS count, (count(*) FILTER (WHERE is_dead))::integer AS dead,
  min(created_at)::float8 AS oldest
FROM everywire_tasks WHERE app = $1 AND ${LIVES} GROUP BY status`;

/** Of all apps: one of them may never run again. */
export const SWEEP = `
DELETE FROM everywire_tasks WHERE (app, id) IN (
  SELECT app, id FROM everywire_tasks WHERE expires_at <= ${NOW} LIMIT $1 FOR UPDATE SKIP LOCKED
) RETURNING 1`;
