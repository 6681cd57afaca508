/** Written by scripts/openapi.mjs, as a client generator would. */
export interface paths {
  '/v2.1': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The version and its operations
     * @description A cheap way to check a key.
     */
    get: operations['describeVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.1/affiliates/{affiliate_id}/products/{product_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The relationship between an affiliate and your product */
    get: operations['getRelationship'];
    /**
     * Sets the relationship between an affiliate and your product
     * @description Makes it where there is none. What is absent stays as it is; null, or an empty value in a form, clears it. `affiliate_verification_email`, where given, must be the e-mail address of the affiliate. The answer is the relationship afterwards.
     */
    put: operations['setRelationship'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.1/affiliatestats/{affiliate_id}/products/{product_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Clicks, sales, refunds and commissions of an affiliate for your product */
    get: operations['getAffiliateStatistics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.1/products/names': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Your products and their names */
    get: operations['listProductNames'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.1/transaction/details/{paykey}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Everything that is known of a transaction */
    get: operations['getTransactionDetail'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AffiliationUpdateBody: {
      /**
       * @description INSTANT, DELAYED, DENIED.
       * @enum {string}
       */
      approval_status: 'INSTANT' | 'DELAYED' | 'DENIED';
      /** @description One whole number in plain digits from 0 to 100. */
      custom_commission?: number | null;
      /**
       * Format: uri
       * @description An http or https address of at most 2048 characters.
       */
      custom_sales_page_url?: string | null;
      /** @description One text. */
      affiliate_verification_email?: string | null;
      /** @description One whole number in plain digits from 0 to 9007199254740991. */
      custom_payment_1st_payout?: number | null;
      /** @description One whole number in plain digits from 0 to 9007199254740991. */
      custom_payment_trial_payout?: number | null;
    };
    AffiliationUpdateBodyForm: {
      /**
       * @description INSTANT, DELAYED, DENIED.
       * @enum {string}
       */
      approval_status: 'INSTANT' | 'DELAYED' | 'DENIED';
      /** @description One whole number in plain digits from 0 to 100. */
      custom_commission?: number | string;
      /** @description An http or https address of at most 2048 characters. */
      custom_sales_page_url?: string;
      /** @description One text. */
      affiliate_verification_email?: string;
      /** @description One whole number in plain digits from 0 to 9007199254740991. */
      custom_payment_1st_payout?: number | string;
      /** @description One whole number in plain digits from 0 to 9007199254740991. */
      custom_payment_trial_payout?: number | string;
    };
    money: string;
    moment: string;
    id: number;
    count: number;
    /** @enum {unknown} */
    status: 'PENDING' | 'COMPLETED' | 'REFUNDED' | 'CHARGEBACK';
    success: {
      status: {
        /** @constant */
        http_status_code: 200;
        /** @constant */
        code: 2000;
        /** @constant */
        message: 'Success';
        detail: null;
      };
      results_count: components['schemas']['count'];
      /** @constant */
      api_version: '2.1';
    };
    failure: {
      meta: {
        status: {
          http_status_code: number;
          /** @enum {unknown} */
          code: 4000 | 4001 | 4010 | 4011 | 4012 | 4030 | 4031 | 4040 | 4050 | 4290 | 5000;
          message: string;
          detail: string | null;
        };
        /** @constant */
        results_count: 0;
        /** @constant */
        api_version: '2.1';
      };
      results: null[];
    };
    affiliation: {
      created: components['schemas']['moment'];
      product_id: components['schemas']['id'];
      affiliate_id: components['schemas']['id'];
      comments: string;
      /** @enum {unknown} */
      status: 'REQUESTED' | 'APPROVED' | 'DENIED';
      custom_commission: number;
      delayed_commission: boolean;
      custom_sales_page_url: string | null;
      custom_payment_1st_payout: components['schemas']['count'];
      custom_payment_trial_payout: components['schemas']['count'];
    };
    rate: string;
    statistics: {
      affiliate_id: components['schemas']['id'];
      affiliate_name: string;
      product_id: components['schemas']['id'];
      product_name: string;
      clicks: components['schemas']['count'];
      unique_clicks: components['schemas']['count'];
      sales: components['schemas']['count'];
      refunds: components['schemas']['count'];
      chargebacks: components['schemas']['count'];
      revenue: components['schemas']['money'];
      refund_amount: components['schemas']['money'];
      commission_earned: components['schemas']['money'];
      commission_paid: components['schemas']['money'];
      commission_unpaid: components['schemas']['money'];
      earnings_per_click: components['schemas']['money'];
      conversion_rate: components['schemas']['rate'];
      refund_rate: components['schemas']['rate'];
      first_sale_date: string | null;
      last_sale_date: string | null;
    };
    productName: {
      product_id: components['schemas']['id'];
      product_name: string;
    };
    payoutItem: {
      payee_amount: components['schemas']['money'];
      payee_user_id: string;
      payee_name: string;
      payout_type: string;
      payment_processor: string;
      payout_status: string;
    };
    transactionDetail: {
      date: string;
      product_name: string;
      product_id: string;
      status: components['schemas']['status'];
      total: components['schemas']['money'];
      pre_key: string | null;
      tid: string | null;
      vtid: string | null;
      tax_total: components['schemas']['money'];
      international_sales_tax: number;
      national_sales_tax: number;
      vat_tax: number;
      shipping_fee: string;
      processor_email: string;
      vendor_id: string;
      vendor_name: string;
      vendor_email: string;
      affiliate_id: string;
      affiliate_name: string;
      affiliate_email: string;
      customer_first_name: string;
      customer_last_name: string;
      customer_email: string;
      customer_ip: string;
      customer_phone: string;
      delivery_name: string;
      delivery_phone: string;
      delivery_address_line_1: string;
      delivery_address_line_2: string;
      delivery_city: string;
      delivery_region: string;
      delivery_postal_code: string;
      delivery_country: string;
      transactionPayouts: components['schemas']['payoutItem'][];
    };
    operation: {
      method: string;
      path: string;
    };
    version: {
      /** @constant */
      version: '2.1';
      /** @constant */
      status: 'supported';
      operations: components['schemas']['operation'][];
    };
    DescribeVersionAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['version'][];
    };
    GetRelationshipAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['affiliation'][];
    };
    SetRelationshipAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['affiliation'][];
    };
    GetAffiliateStatisticsAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['statistics'][];
    };
    ListProductNamesAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['productName'][];
    };
    GetTransactionDetailAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['transactionDetail'][];
    };
  };
  responses: never;
  parameters: {
    /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
    'X-Request-Id': string;
    /** @description The `ETag` of an earlier answer: as long as nothing changed, 304 without a body. */
    'If-None-Match': string;
  };
  requestBodies: never;
  headers: {
    /** @description The interface version that answered. */
    'X-API-Version': string;
    /** @description Names the request in the log of the service: the one that was sent, or a new one. */
    'X-Request-Id': string;
    /** @description Names the answer for as long as nothing changes: send it back as `If-None-Match`. */
    ETag: string;
    /** @description For each window of the limits, how many requests are left and in how many seconds it begins anew. */
    RateLimit: string;
    /** @description For each window of the limits, its requests and its seconds. */
    'RateLimit-Policy': string;
    /** @description The requests of the tightest window. */
    'X-RateLimit-Limit': number;
    /** @description What is left of the tightest window. */
    'X-RateLimit-Remaining': number;
    /** @description In how many seconds the tightest window begins anew. */
    'X-RateLimit-Reset': number;
    /** @description After how many seconds to ask again. */
    'Retry-After': number;
    /** @description Asks for Basic authentication. */
    'WWW-Authenticate': string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  describeVersion: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 1,
           *         "api_version": "2.1"
           *       },
           *       "results": [
           *         {
           *           "version": "2.1",
           *           "status": "supported",
           *           "operations": [
           *             {
           *               "method": "GET",
           *               "path": "/v2.1/products/names"
           *             },
           *             {
           *               "method": "GET",
           *               "path": "/v2.1/transaction/details/{paykey}"
           *             },
           *             {
           *               "method": "GET",
           *               "path": "/v2.1/affiliates/{affiliate_id}/products/{product_id}"
           *             },
           *             {
           *               "method": "PUT",
           *               "path": "/v2.1/affiliates/{affiliate_id}/products/{product_id}"
           *             },
           *             {
           *               "method": "GET",
           *               "path": "/v2.1/affiliatestats/{affiliate_id}/products/{product_id}"
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DescribeVersionAnswer'];
        };
      };
      /** @description 4000 Bad request: the request can not be read */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
  getRelationship: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description One whole number in plain digits from 0 to 9007199254740991.
         * @example 2004
         */
        affiliate_id: number;
        /**
         * @description One whole number in plain digits from 0 to 9007199254740991.
         * @example 101
         */
        product_id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 1,
           *         "api_version": "2.1"
           *       },
           *       "results": [
           *         {
           *           "created": "2024-12-25T00:00:00+00:00",
           *           "product_id": 101,
           *           "affiliate_id": 2004,
           *           "comments": "",
           *           "status": "DENIED",
           *           "custom_commission": 44,
           *           "delayed_commission": false,
           *           "custom_sales_page_url": null,
           *           "custom_payment_1st_payout": 0,
           *           "custom_payment_trial_payout": 0
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['GetRelationshipAnswer'];
        };
      };
      /**
       * @description 4000 Bad request: the request can not be read
       *
       *     4001 Invalid parameters: a parameter or a field of the body is missing or invalid; `detail` names it
       */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4012 Authenticated user has no access (specific): the product is another vendor's
       *
       *     4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4040 Not found: there is no such thing that you may see */
      404: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
  setRelationship: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description One whole number in plain digits from 0 to 9007199254740991.
         * @example 2004
         */
        affiliate_id: number;
        /**
         * @description One whole number in plain digits from 0 to 9007199254740991.
         * @example 101
         */
        product_id: number;
      };
      cookie?: never;
    };
    /** @description At most 16 KiB. Fields that are not known are ignored. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "approval_status": "INSTANT",
         *       "custom_commission": 60
         *     }
         */
        'application/json': components['schemas']['AffiliationUpdateBody'];
        'application/x-www-form-urlencoded': components['schemas']['AffiliationUpdateBodyForm'];
      };
    };
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 1,
           *         "api_version": "2.1"
           *       },
           *       "results": [
           *         {
           *           "created": "2024-12-25T00:00:00+00:00",
           *           "product_id": 101,
           *           "affiliate_id": 2004,
           *           "comments": "",
           *           "status": "APPROVED",
           *           "custom_commission": 60,
           *           "delayed_commission": false,
           *           "custom_sales_page_url": null,
           *           "custom_payment_1st_payout": 0,
           *           "custom_payment_trial_payout": 0
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['SetRelationshipAnswer'];
        };
      };
      /**
       * @description 4000 Bad request: the request can not be read
       *
       *     4001 Invalid parameters: a parameter or a field of the body is missing or invalid; `detail` names it
       */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4012 Authenticated user has no access (specific): the product is another vendor's
       *
       *     4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4040 Not found: there is no such thing that you may see */
      404: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
  getAffiliateStatistics: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description One whole number in plain digits from 0 to 9007199254740991.
         * @example 2004
         */
        affiliate_id: number;
        /**
         * @description One whole number in plain digits from 0 to 9007199254740991.
         * @example 101
         */
        product_id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 1,
           *         "api_version": "2.1"
           *       },
           *       "results": [
           *         {
           *           "affiliate_id": 2004,
           *           "affiliate_name": "Lena’s Picks",
           *           "product_id": 101,
           *           "product_name": "Watercolour in 30 Days",
           *           "clicks": 0,
           *           "unique_clicks": 0,
           *           "sales": 5,
           *           "refunds": 0,
           *           "chargebacks": 0,
           *           "revenue": "225.60",
           *           "refund_amount": "0.00",
           *           "commission_earned": "103.10",
           *           "commission_paid": "81.61",
           *           "commission_unpaid": "21.49",
           *           "earnings_per_click": "0.00",
           *           "conversion_rate": "0.0000",
           *           "refund_rate": "0.0000",
           *           "first_sale_date": "2024-06-22T09:12:57+00:00",
           *           "last_sale_date": "2025-06-29T03:29:32+00:00"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['GetAffiliateStatisticsAnswer'];
        };
      };
      /**
       * @description 4000 Bad request: the request can not be read
       *
       *     4001 Invalid parameters: a parameter or a field of the body is missing or invalid; `detail` names it
       */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4012 Authenticated user has no access (specific): the product is another vendor's
       *
       *     4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4040 Not found: there is no such thing that you may see */
      404: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
  listProductNames: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 3,
           *         "api_version": "2.1"
           *       },
           *       "results": [
           *         {
           *           "product_id": 101,
           *           "product_name": "Watercolour in 30 Days"
           *         },
           *         {
           *           "product_id": 102,
           *           "product_name": "Portrait Masterclass"
           *         },
           *         {
           *           "product_id": 103,
           *           "product_name": "Studio Membership"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListProductNamesAnswer'];
        };
      };
      /** @description 4000 Bad request: the request can not be read */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
  getTransactionDetail: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer: as long as nothing changed, 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description The key of the transaction, compared byte for byte.
         * @example PA-41XG1C4I3994U8ETLR87
         */
        paykey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          ETag: components['headers']['ETag'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 1,
           *         "api_version": "2.1"
           *       },
           *       "results": [
           *         {
           *           "date": "2025-06-29 20:57:56",
           *           "product_name": "Studio Membership",
           *           "product_id": "103",
           *           "status": "COMPLETED",
           *           "total": "27.00",
           *           "pre_key": "PRE-CU5W9QEGPDUYEDQW",
           *           "tid": "retarget-5",
           *           "vtid": null,
           *           "tax_total": "0.00",
           *           "international_sales_tax": 0,
           *           "national_sales_tax": 0,
           *           "vat_tax": 0,
           *           "shipping_fee": "0.000000",
           *           "processor_email": "hello@brushworkacademy.example",
           *           "vendor_id": "1001",
           *           "vendor_name": "Brushwork Academy",
           *           "vendor_email": "hello@brushworkacademy.example",
           *           "affiliate_id": "2014",
           *           "affiliate_name": "Zoë’s Picks",
           *           "affiliate_email": "affiliate14@partners.example",
           *           "customer_first_name": "Yuki",
           *           "customer_last_name": "Wagner",
           *           "customer_email": "q9t8q3ya0g@customers.example",
           *           "customer_ip": "192.0.2.28",
           *           "customer_phone": "",
           *           "delivery_name": "Yuki",
           *           "delivery_phone": "",
           *           "delivery_address_line_1": "",
           *           "delivery_address_line_2": "",
           *           "delivery_city": "Zürich",
           *           "delivery_region": "",
           *           "delivery_postal_code": "",
           *           "delivery_country": "DE",
           *           "transactionPayouts": [
           *             {
           *               "payee_amount": "12.23",
           *               "payee_user_id": "1001",
           *               "payee_name": "Brushwork Academy",
           *               "payout_type": "VENDOR",
           *               "payment_processor": "bank",
           *               "payout_status": "COMPLETED"
           *             },
           *             {
           *               "payee_amount": "12.24",
           *               "payee_user_id": "2014",
           *               "payee_name": "Affiliate",
           *               "payout_type": "AFFILIATE",
           *               "payment_processor": "bank",
           *               "payout_status": "COMPLETED"
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['GetTransactionDetailAnswer'];
        };
      };
      /** @description Nothing changed since the answer that `If-None-Match` names. */
      304: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          ETag: components['headers']['ETag'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description 4000 Bad request: the request can not be read */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4040 Not found: there is no such thing that you may see */
      404: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
}
