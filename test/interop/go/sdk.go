package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
	"github.com/a2aproject/a2a-go/a2aclient/agentcard"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// sdk is the client, over one binding.
type sdk struct {
	client *a2aclient.Client
}

func connect(ctx context.Context, url, binding string) (*sdk, error) {
	card, err := agentcard.DefaultResolver.Resolve(ctx, url)
	if err != nil {
		return nil, err
	}
	endpoints := append([]a2a.AgentInterface{{Transport: card.PreferredTransport, URL: card.URL}}, card.AdditionalInterfaces...)
	for _, endpoint := range endpoints {
		if string(endpoint.Transport) != binding {
			continue
		}
		plain := a2aclient.WithGRPCTransport(grpc.WithTransportCredentials(insecure.NewCredentials()))
		client, err := a2aclient.NewFromEndpoints(ctx, []a2a.AgentInterface{endpoint}, plain)
		return &sdk{client}, err
	}
	return nil, fmt.Errorf("the card lists no interface for %s", binding)
}

// send waits for the task; the agent does what the id of the message says.
func (s *sdk) send(ctx context.Context, messageID string, taskID a2a.TaskID) (*a2a.Task, error) {
	answer, err := s.client.SendMessage(ctx, paramsOf(messageID, taskID))
	if err != nil {
		return nil, err
	}
	task, ok := answer.(*a2a.Task)
	if !ok {
		return nil, fmt.Errorf("not a task: %T", answer)
	}
	return task, nil
}

func (s *sdk) stream(ctx context.Context, messageID string) iter.Seq2[a2a.Event, error] {
	return s.client.SendStreamingMessage(ctx, paramsOf(messageID, ""))
}

func (s *sdk) subscribe(ctx context.Context, id a2a.TaskID) iter.Seq2[a2a.Event, error] {
	return s.client.ResubscribeToTask(ctx, &a2a.TaskIDParams{ID: id})
}

func (s *sdk) get(ctx context.Context, id a2a.TaskID) (*a2a.Task, error) {
	return s.client.GetTask(ctx, &a2a.TaskQueryParams{ID: id})
}

func (s *sdk) cancel(ctx context.Context, id a2a.TaskID) (*a2a.Task, error) {
	return s.client.CancelTask(ctx, &a2a.TaskIDParams{ID: id})
}

func paramsOf(messageID string, taskID a2a.TaskID) *a2a.MessageSendParams {
	message := a2a.NewMessage(a2a.MessageRoleUser, a2a.TextPart{Text: "interoperate"})
	message.ID, message.TaskID = messageID, taskID
	return &a2a.MessageSendParams{Message: message}
}

// refusalIn says what was refused. Over gRPC this SDK has no errors of its own, so the status tells.
func refusalIn(err error) string {
	switch {
	case err == nil:
		return "nothing was refused"
	case errors.Is(err, a2a.ErrTaskNotFound) || status.Code(err) == codes.NotFound:
		return "not found"
	case errors.Is(err, a2a.ErrTaskNotCancelable) || status.Code(err) == codes.FailedPrecondition:
		return "not cancelable"
	}
	return err.Error()
}

func textOf(parts a2a.ContentParts) string {
	text := ""
	for _, part := range parts {
		switch part := part.(type) {
		case a2a.TextPart:
			text += part.Text
		case *a2a.TextPart:
			text += part.Text
		}
	}
	return text
}
