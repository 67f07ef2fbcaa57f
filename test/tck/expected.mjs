/**
 * How many cases pass, by run and by the bindings that it was over. A kit that skips where it should fail shows only
 * here, so the numbers are exact. They are for the commits in kits.mjs and the packages in requirements-*.txt.
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const PASSED = {
  '1.0': { 'JSONRPC + HTTP+JSON + GRPC': 230 },
  '1.0-required-extension': { 'JSONRPC + HTTP+JSON + GRPC': 2 },
  '1.0-without-push': { 'JSONRPC + HTTP+JSON + GRPC': 4 },
  'main-mandatory': { JSONRPC: 72 },
  'main-mandatory-rest': { 'HTTP+JSON': 60 },
  'main-mandatory-bearer': { JSONRPC: 76 },
  'main-mandatory-rest-bearer': { 'HTTP+JSON': 64 },
  'main-capabilities': { JSONRPC: 37 },
  'main-capabilities-rest': { 'HTTP+JSON': 32 },
};

const OLD_MAP = 'has the map of errors of 1.0.0; 1.0.1 has';
const OLD_MEDIA_TYPE = 'wants application/json, as before 1.0.1, where it is application/a2a+json (11.1)';
const NO_VERSION =
  'asks for the card without a version, as clients of 0.3 do, and refuses their members beside its own; unknown ones are to be ignored (5.7)';
const PAGE_SIZE =
  'wants pageSize to count the tasks that were returned; it is the size that was used, as in the example of 3.1.4';
const SAME_ID =
  'is skipped: its second message to a task has the id of the first and says something else, which is refused (4.1.4)';
const ONE_LOOP = 'uses one HTTP client in several event loops: the second test that streams finds its loop closed';

const BEARER = ['main-mandatory-bearer', 'main-mandatory-rest-bearer'];

/**
 * Cases that fail because the kit is wrong.
 * @type {readonly import('./judge.mjs').KnownFault[]}
 */
export const KNOWN_FAULTS = [
  {
    kit: '1.0',
    test: 'test_must_requirement[CORE-SEND-003',
    reason: 'is about a media type that has to be refused, and fails where it is refused: its record names no error',
  },
  {
    kit: '1.0',
    test: 'test_content_type_not_supported_returns_415',
    reason: `${OLD_MAP} 400 for ContentTypeNotSupported (5.4)`,
  },
  {
    kit: '1.0',
    test: 'test_version_not_supported_returns_unimplemented',
    reason: `${OLD_MAP} FAILED_PRECONDITION for VersionNotSupported (5.4)`,
  },
  {
    kit: '1.0',
    test: 'test_push_not_supported_returns_unimplemented',
    reason: `${OLD_MAP} FAILED_PRECONDITION for PushNotificationNotSupported (5.4)`,
  },
  { kit: '1.0', test: 'test_agent_card_validates_against_schema', reason: NO_VERSION },
  { kit: '1.0', test: 'TestRestFormat::test_response_content_type', reason: OLD_MEDIA_TYPE },
  { kit: '1.0', test: '::test_error_content_type', reason: OLD_MEDIA_TYPE },
  { kit: '1.0', test: 'TestRestErrorStructure::test_error_uses_aip193_format', reason: OLD_MEDIA_TYPE },
  { kit: '1.0', test: 'test_history_messages_in_chronological_order', reason: SAME_ID },
  { kit: '1.0', test: 'test_history_content_matches_sent_messages', reason: SAME_ID },
  { kit: 'main', test: 'test_list_tasks_empty_when_none_exist', reason: PAGE_SIZE },
  { kit: 'main', test: 'test_default_page_size', reason: PAGE_SIZE },
  { kit: 'main', test: 'test_last_page_detection', reason: PAGE_SIZE },
  { kit: 'main', test: 'test_security_scheme_structure_compliance', runs: BEARER, reason: NO_VERSION },
  { kit: 'main', test: 'test_authentication_scheme_consistency', runs: BEARER, reason: NO_VERSION },
  { kit: 'main', test: 'test_security_scheme_consistency', runs: BEARER, reason: NO_VERSION },
  {
    kit: 'main',
    test: 'test_sensitive_information_protection',
    runs: BEARER,
    reason: 'takes the word token for one, where the card says that callers need it',
  },
  {
    kit: 'main',
    test: 'test_tasks_subscribe_nonexistent',
    runs: ['main-capabilities'],
    reason: 'takes no plain error for a refused stream, which the other kit insists on',
  },
  {
    kit: 'main',
    test: 'test_agent_interfaces_structure',
    reason: 'takes only URLs of HTTP; the address of gRPC has no scheme',
  },
  {
    kit: 'main',
    test: 'test_send_streaming_message_with_push_notification_config',
    isRace: true,
    reason: 'waits until there is any notification, and there is one of the case before: its own may be on the way',
  },
  { kit: 'main', test: '::test_tasks_subscribe', runs: ['main-capabilities-rest'], reason: ONE_LOOP },
  { kit: 'main', test: 'test_sse_event_format_compliance', runs: ['main-capabilities-rest'], reason: ONE_LOOP },
];
