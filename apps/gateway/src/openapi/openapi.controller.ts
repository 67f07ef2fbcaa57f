import { Controller, Get, Header, Inject } from '@nestjs/common';
import { GATEWAY, type Gateway } from '../gateway';
import { openApi } from './openapi';

/** Describes HTTP+JSON for tools. */
@Controller()
export class OpenApiController {
  readonly #document: string;

  constructor(@Inject(GATEWAY) { publicUrl }: Gateway) {
    this.#document = JSON.stringify(openApi(publicUrl));
  }

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=60')
  document(): string {
    return this.#document;
  }
}
