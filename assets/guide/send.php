<?php
const BATCH = 1000;
const MOST_TRIES = 10;
const LONGEST_WAIT = 60;

/** Sends records until the service has answered. Records that are sent twice change nothing. */
function send(array $records): array
{
    for ($tried = 1; ; $tried++) {
        $received = [];
        $curl = curl_init(getenv('BASE_URL') . '/ledger/v1/records');
        curl_setopt_array($curl, [
            CURLOPT_USERPWD => getenv('API_KEY') . ':x',
            CURLOPT_HTTPHEADER => ['Content-Type: application/x-ndjson', 'Expect:'],
            CURLOPT_POSTFIELDS => implode("\n", $records),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 150,
            CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$received) {
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        $text = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $answer = is_string($text) ? json_decode($text, true) : null;
        if ($status === 200 && $answer !== null) {
            return $answer['results'];
        }
        $reason = curl_error($curl);
        if ($answer !== null) {
            ['code' => $code, 'message' => $message, 'detail' => $detail] = $answer['meta']['status'];
            $reason = "$code $message: $detail";
        }
        // No answer, too many requests, or a fault of the service: any other error would occur again.
        $mayPass = $answer === null || $status === 429 || $status >= 500;
        if (!$mayPass || $tried === MOST_TRIES) {
            throw new RuntimeException($reason);
        }
        $wait = $received['retry-after'] ?? min(LONGEST_WAIT, 2 ** $tried) * (0.5 + mt_rand() / mt_getrandmax() / 2);
        fwrite(STDERR, "$reason; trying again in " . ceil($wait) . " s\n");
        usleep((int) ($wait * 1_000_000));
    }
}

$rejected = [];
foreach (array_chunk(file('sales.ndjson', FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES), BATCH) as $batch) {
    foreach (send($batch) as ['line' => $line, 'key' => $key, 'verdict' => $verdict, 'problem' => $problem]) {
        echo "$key $verdict\n";
        if ($verdict === 'rejected') {
            fwrite(STDERR, "$key: $problem\n");
            $rejected[] = $batch[$line - 1] . "\n";
        }
    }
}
// Correct these records, or send them again once the records that they refer to exist.
file_put_contents('rejected.ndjson', $rejected);
