<?php
require 'client.php';

$figures = 'measures=sales,gross,refund_rate&group_by=product&interval=month';
$range = 'start_date=2025-06-01&end_date=2025-06-30';
[, , $body] = get("/ledger/v1/figures?$figures&$range");
foreach ($body['results'] as ['interval' => $interval, 'group' => $group, 'measures' => $measures]) {
    echo "{$interval['start_date']} {$group['id']} {$measures['sales']} {$measures['gross']}\n";
}
