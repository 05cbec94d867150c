
    CREATE TABLE IF NOT EXISTS memory_read_versions (version INTEGER PRIMARY KEY, compatible_since INTEGER);
CREATE TABLE accounts (
    user_id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT,
    move_count BIGINT NOT NULL DEFAULT 0
  );
CREATE TABLE memories (
    id TEXT COLLATE "C" PRIMARY KEY,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (user_id),
    started_at TEXT COLLATE "C" NOT NULL,
    previous_started_at TEXT COLLATE "C" NOT NULL,
    is_processing BOOLEAN NOT NULL,
    record_json TEXT NOT NULL,
    summary_json TEXT,
    transcript_json TEXT
  );
CREATE INDEX memories_newest_first ON memories (user_id, started_at DESC, id DESC);
CREATE TABLE api_keys (
    key_id TEXT COLLATE "C" PRIMARY KEY,
    key_hash TEXT COLLATE "C" NOT NULL UNIQUE,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (user_id),
    active BOOLEAN NOT NULL,
    expires_at_ms BIGINT,
    label TEXT,
    created_at_ms BIGINT
  );
INSERT INTO "memory_read_versions" ("version", "compatible_since") VALUES ('1', NULL);
INSERT INTO "memory_read_versions" ("version", "compatible_since") VALUES ('2', NULL);
INSERT INTO "memory_read_versions" ("version", "compatible_since") VALUES ('3', NULL);
INSERT INTO "memory_read_versions" ("version", "compatible_since") VALUES ('4', '2');
INSERT INTO "accounts" ("user_id", "name", "move_count") VALUES ('user_1', 'Ada', '1');
INSERT INTO "memories" ("id", "user_id", "started_at", "previous_started_at", "is_processing", "record_json", "summary_json", "transcript_json") VALUES ('../a b%2Fc?d#e', 'user_1', '0000-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'f', '{"id":"../a b%2Fc?d#e","name":"","started_at":"0000-01-01T00:00:00.000Z","ended_at":"0000-01-01T00:00:00.000Z","duration_seconds":0,"media":{}}', NULL, '{"segments":[]}');
INSERT INTO "memories" ("id", "user_id", "started_at", "previous_started_at", "is_processing", "record_json", "summary_json", "transcript_json") VALUES ('mem_edge_loneSurrogateText', 'user_1', '2026-03-01T10:00:00.000Z', '2026-01-01T00:00:00.000Z', 'f', '{"id":"mem_edge_loneSurrogateText","name":"Größe 🎉","started_at":"2026-03-01T10:00:00.000Z","ended_at":"2026-03-01T10:05:00.000Z","duration_seconds":300,"media":{"video":{"object_key":"mem edge/100 %/film+1.webm","content_type":"video/webm"},"preview_image":{"object_key":"mem edge/é.png","content_type":"image/png"}}}',  E'{"quick_summary":"Half a pair: \\ud83c.","key_takeaways":["One.",""]}',  E'{"segments":[{"speaker":"Speaker 1","start_at":"2026-03-01T10:00:01.000Z","end_at":"2026-03-01T10:00:03.250Z","text":"high \\ud83c, low \\udf89, NUL \\u0000, pair 🎉"}]}');
INSERT INTO "memories" ("id", "user_id", "started_at", "previous_started_at", "is_processing", "record_json", "summary_json", "transcript_json") VALUES ('mem_processing', 'user_1', '2026-03-02T09:00:00.000Z', '2026-01-01T00:00:00.000Z', 't', '{"id":"mem_processing","name":"Just recorded","started_at":"2026-03-02T09:00:00.000Z","ended_at":"2026-03-02T09:00:30.500Z","duration_seconds":30,"media":{"audio":{"object_key":"mem_processing/audio.wav","content_type":"audio/wav"}}}', NULL, NULL);
INSERT INTO "api_keys" ("key_id", "key_hash", "user_id", "active", "expires_at_ms", "label", "created_at_ms") VALUES ('key_active', 'c7e7facf20740f90b828be732873759674377650c05c80b76eef4cd33494069c', 'user_1', 't', NULL, NULL, NULL);
INSERT INTO "api_keys" ("key_id", "key_hash", "user_id", "active", "expires_at_ms", "label", "created_at_ms") VALUES ('key_expiring', '118ff7bae8e65634e2e74397ca7f5d22362d222901aba732ec0087611a297d8b', 'user_1', 't', '1780272000000', NULL, NULL);
INSERT INTO "api_keys" ("key_id", "key_hash", "user_id", "active", "expires_at_ms", "label", "created_at_ms") VALUES ('key_revoked', '2f062165919f155bb1026a4658f04ae25645ea314378f754c5fece4cc67ad085', 'user_1', 'f', NULL, NULL, NULL);
