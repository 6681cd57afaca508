<?php
$curl = curl_init(getenv('BASE_URL') . '/ledger/v1/webhooks');
curl_setopt_array($curl, [
    CURLOPT_USERPWD => getenv('API_KEY') . ':x',
    CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'url' => 'https://shop.example/hook',
        'reasons' => ['refunded', 'charged_back', 'canceled'],
    ]),
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($curl);
if ($answer === false) {
    throw new RuntimeException(curl_error($curl));
}
['meta' => $meta, 'results' => $results] = json_decode($answer, true);
if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
    ['code' => $code, 'message' => $message, 'detail' => $detail] = $meta['status'];
    throw new RuntimeException("$code $message: $detail");
}
echo $results[0]['id'], ' ', $results[0]['secret'], "\n";
