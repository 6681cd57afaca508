<?php
$query = 'start_date=2025-06-30&end_date=2025-06-01';

$curl = curl_init(getenv('BASE_URL') . "/v3.0/transactions?$query");
curl_setopt_array($curl, [
    CURLOPT_USERPWD => getenv('API_KEY') . ':x',
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HEADERFUNCTION => function ($curl, $line) {
        if (stripos($line, 'X-Request-Id:') === 0) {
            echo $line;
        }
        return strlen($line);
    },
]);
$answer = json_decode(curl_exec($curl), true);
if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
    $s = $answer['meta']['status'];
    echo "{$s['http_status_code']} {$s['code']} {$s['message']}: {$s['detail']}\n";
}
