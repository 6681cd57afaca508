<?php
// Checks a key as the settings page of a plug-in does: by a call of the path of a version.
const TRIES = 3;
const PAUSE_MICROSECONDS = 400_000;

$context = stream_context_create(['http' => [
    'header' => 'Authorization: Basic ' . base64_encode(getenv('API_KEY') . ':x'),
    'timeout' => 30,
]]);
for ($tried = 1; $tried <= TRIES; $tried += 1) {
    // An answer other than 2xx results in false, and in a warning that is suppressed.
    $text = @file_get_contents(getenv('API_ADDRESS') . '/v2.0', false, $context);
    if ($text !== false) {
        break;
    }
    usleep(PAUSE_MICROSECONDS);
}
$status = $text === false ? null : json_decode($text, true)['meta']['status'];
echo json_encode(['valid' => $status !== null && $status['code'] === 2000]);
