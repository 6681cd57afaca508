// Runs a route of Nest on Express with one guard, one interceptor and the query of the floor: the
// minimal cost of a single transaction there.
import 'reflect-metadata';
import { Controller, Get, Module, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pool, STATEMENTS } from './statements.mjs';

const [SQL] = STATEMENTS['/single'];

class OpenGuard {
  canActivate() {
    return true;
  }
}

class PassingInterceptor {
  intercept(_context, next) {
    return next.handle();
  }
}

class SingleController {
  async get(id) {
    const [rows] = await pool.promise().execute(SQL, [id]);
    return { results: rows };
  }
}

class BenchModule {}

// Plain JavaScript has no decorators.
const { prototype } = SingleController;
const method = Object.getOwnPropertyDescriptor(prototype, 'get');
Query('id')(prototype, 'get', 0);
for (const decorate of [Get('single'), UseGuards(OpenGuard), UseInterceptors(PassingInterceptor)])
  decorate(prototype, 'get', method);
Controller()(SingleController);
Module({ controllers: [SingleController] })(BenchModule);

const app = await NestFactory.create(BenchModule, { logger: false });
await app.listen(Number(process.env.PORT), process.env.HOST);
