<?php
$query = 'start_date=2025-06-01&end_date=2025-06-30&page_size=1';

$curl = curl_init(getenv('BASE_URL') . "/v3.0/transactions?$query");
curl_setopt_array($curl, [
    CURLOPT_USERPWD => getenv('API_KEY') . ':x',
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = json_decode(curl_exec($curl), true);
echo $answer['meta']['total_count'], " transactions\n";
foreach ($answer['results'] as $sale) {
    echo "{$sale['sale_date']} {$sale['transaction_id']} {$sale['amount']}\n";
}
