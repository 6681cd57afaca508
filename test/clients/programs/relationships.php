<?php
// Sets relationships and cancels recurring payments, as a plug-in of a shop does. It sends forms by PUT,
// removes HTML from its user's input, adds the `PA-` that users leave out of a key, and retries after any
// fault.
//   relationships.php approve AFFILIATE_ID PRODUCT_ID COMMISSION SALES_PAGE
//   relationships.php approve-json AFFILIATE_ID PRODUCT_ID COMMISSION SALES_PAGE
//   relationships.php cancel PRE_KEY
const TRIES = 3;
const PAUSE_MICROSECONDS = 400_000;

function put(string $path, string $body): array
{
    $told = '';
    for ($tried = 1; $tried <= TRIES; $tried += 1) {
        // Without a Content-Type of its own, curl declares every body as a form.
        $call = curl_init(getenv('API_ADDRESS') . $path);
        curl_setopt_array($call, [
            CURLOPT_CUSTOMREQUEST => 'PUT',
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_USERPWD => getenv('API_KEY') . ':x',
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
        ]);
        $text = curl_exec($call);
        $status = curl_getinfo($call, CURLINFO_HTTP_CODE);
        if ($status >= 200 && $status < 300) {
            return json_decode($text, true, 512, JSON_THROW_ON_ERROR)['results'];
        }
        $told .= "$status $text\n";
        usleep(PAUSE_MICROSECONDS);
    }
    fwrite(STDERR, $told);
    exit(1);
}

$typed = array_map(fn (string $text): string => trim(strip_tags($text)), array_slice($argv, 2));
if ($argv[1] === 'cancel') {
    $key = str_starts_with($typed[0], 'PA-') ? $typed[0] : "PA-{$typed[0]}";
    $results = put('/v2.0/recurring_payment/' . rawurlencode($key), http_build_query(['status' => 'CANCEL']));
} else {
    [$affiliate, $product, $commission, $page] = $typed;
    $fields = [
        'approval_status' => 'INSTANT',
        'custom_commission' => $commission,
        'custom_sales_page_url' => $page,
    ];
    $body = $argv[1] === 'approve'
        ? http_build_query($fields)
        : json_encode(['custom_commission' => (int) $commission] + $fields);
    $results = put("/v2.1/affiliates/$affiliate/products/$product", $body);
}
echo json_encode($results);
